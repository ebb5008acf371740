package dev.stowage.onnx.symbolic;

/** Thrown by a rule if the shape of a result cannot be expressed. */
final class UnknownShapeException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception without a stack trace, because rules throw it often.
   *
   * @param cause the operator that has no known shape, or an empty text for the operator of the
   *     rule
   */
  UnknownShapeException(String cause) {
    super(cause, null, false, false);
  }
}
