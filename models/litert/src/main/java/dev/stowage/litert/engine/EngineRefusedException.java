package dev.stowage.litert.engine;

/** Thrown if TensorFlow Lite does not run a model. */
final class EngineRefusedException extends Exception {

  private static final long serialVersionUID = 1L;

  EngineRefusedException(String message) {
    super(message);
  }
}
