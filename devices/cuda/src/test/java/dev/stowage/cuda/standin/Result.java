package dev.stowage.cuda.standin;

import java.util.Arrays;
import java.util.Optional;

/** The codes of the driver that functions of the stand-in return. */
enum Result {
  SUCCESS(0),
  INVALID_VALUE(1),
  OUT_OF_MEMORY(2),
  NOT_INITIALIZED(3),
  NO_DEVICE(100),
  INVALID_DEVICE(101),
  INVALID_CONTEXT(201),
  INVALID_HANDLE(400),
  NOT_READY(600),
  ILLEGAL_ADDRESS(700),
  CONTEXT_IS_DESTROYED(709),
  NOT_SUPPORTED(801),
  UNKNOWN(999);

  private final int code;

  Result(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  /** {@return the driver's name of a failure; empty if the driver does not know the code} */
  static Optional<String> errorName(int code) {
    return Arrays.stream(values())
        .filter(each -> each.code == code && each != SUCCESS)
        .map(each -> "CUDA_ERROR_" + each)
        .findFirst();
  }

  /** {@return the end of a call with this result} */
  CallFailure failure() {
    return new CallFailure(code);
  }

  /**
   * Checks the condition of a call.
   *
   * @throws CallFailure with this code if the condition is false
   */
  void unless(boolean condition) {
    if (!condition) {
      throw failure();
    }
  }

  /**
   * Ends a call that has this result.
   *
   * @throws CallFailure if this is a failure
   */
  void orThrow() {
    unless(this == SUCCESS);
  }
}
