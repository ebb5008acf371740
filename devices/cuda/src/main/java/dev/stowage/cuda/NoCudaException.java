package dev.stowage.cuda;

/** The reason why this machine has no CUDA, as a sentence. */
final class NoCudaException extends Exception {

  private static final long serialVersionUID = 1L;

  NoCudaException(String reason) {
    super(reason);
  }

  /** {@return the reason} */
  String reason() {
    return String.valueOf(getMessage());
  }
}
