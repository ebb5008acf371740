package dev.stowage.cuda.standin;

/** One call of a function, or one piece of work, that a test lets fail. */
final class FailurePlan {

  private String function = "";
  private int remainingCalls;
  private int code;

  /**
   * Sets the failure.
   *
   * @param function the name of the function
   * @param call the number of the call from now on, 1 being the next; 0 for no failure
   */
  void set(String function, int call, int code) {
    this.function = function;
    this.remainingCalls = call;
    this.code = code;
  }

  /** Counts a call and {@return true if it fails} */
  boolean fails(String name) {
    return remainingCalls > 0 && name.equals(function) && --remainingCalls == 0;
  }

  /**
   * Counts a call of a function.
   *
   * @throws CallFailure if it is the call that fails; also if its code is that of success, so that
   *     the function returns success and does nothing
   */
  void check(String name) {
    if (fails(name)) {
      throw new CallFailure(code);
    }
  }
}
