package dev.stowage.cuda;

/** Why there is no CUDA on this machine, in a sentence. */
final class NoCudaException extends Exception {

  private static final long serialVersionUID = 1L;

  NoCudaException(String reason) {
    super(reason);
  }

  /** {@return the sentence} */
  String reason() {
    return String.valueOf(getMessage());
  }
}
