package dev.stowage.cuda.standin;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** One call of each function, or one piece of work, that a test lets fail. */
final class FailurePlan {

  private record Failure(int remainingCalls, int code) {}

  private final Map<String, Failure> failures = new HashMap<>();

  /**
   * Sets the failure of a function.
   *
   * @param function the name of the function
   * @param call the number of the call from now on, 1 being the next; 0 for no failure
   */
  void set(String function, int call, int code) {
    failures.put(function, new Failure(call, code));
  }

  /** Counts a call and {@return true if it fails} */
  boolean fails(String name) {
    Failure failure =
        failures.computeIfPresent(
            name, (_, each) -> new Failure(each.remainingCalls() - 1, each.code()));
    return failure != null && failure.remainingCalls() == 0;
  }

  /**
   * Counts a call of a function.
   *
   * @throws CallFailure if it is the call that fails; also if its code is that of success, so that
   *     the function returns success and does nothing
   */
  void check(String name) {
    if (fails(name)) {
      throw new CallFailure(Objects.requireNonNull(failures.get(name)).code());
    }
  }
}
