// The site's search runs in a worker, which browsers refuse to a page that was opened from a disk.
// There a hidden frame takes the worker's place. On a server nothing of this happens.
if (location.protocol === "file:")
  window.Worker = class extends EventTarget {
    constructor(script) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.documentElement.append(frame);
      const inside = (this.inside = frame.contentWindow);
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const load = (source) => new Promise((done, failed) => {
        const element = inside.document.createElement("script");
        Object.assign(element, { src: source, onload: done, onerror: failed });
        inside.document.head.append(element);
      });
      inside.importScripts = (...sources) => Promise.all(sources.map(load));
      this.ready = load(script);
    }

    postMessage(data) {
      this.ready.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })));
    }

    terminate() {
      this.inside.frameElement?.remove();
    }
  };
