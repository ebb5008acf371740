package dev.stowage.cuda.standin;

/** The end of a call of the driver that does not succeed. */
final class CallFailure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int code;

  CallFailure(int code) {
    super("the call returns code " + code, null, false, false); // without a stack
    this.code = code;
  }

  /** {@return the result of the function} */
  int code() {
    return code;
  }
}
