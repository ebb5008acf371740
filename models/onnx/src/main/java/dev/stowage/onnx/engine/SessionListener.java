package dev.stowage.onnx.engine;

import dev.stowage.onnxruntime.capi.RequestListener;

/** A listener to the requests of one session, while it is created and while it runs. */
public interface SessionListener extends RequestListener {

  /** Reports the end of the creation of the session. */
  void sessionCreated();

  /** Reports the end of a run, after its outputs have been freed. */
  void runEnded();
}
