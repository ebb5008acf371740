package dev.stowage.litert;

/** Thrown if the library of TensorFlow Lite is missing, or if it cannot be loaded. */
public final class MissingLibraryException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  /** Creates an exception. */
  MissingLibraryException(String message) {
    super(message);
  }
}
