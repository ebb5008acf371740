package dev.stowage.memory.device;

import java.util.Locale;

/**
 * A call of a device's driver, or of the operating system, that failed; its message names the call,
 * what it was for, and the error.
 *
 * <p>Memory that is refused is no such failure: it is an empty answer.
 */
public final class DeviceException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int code;
  private final String codeName;

  /**
   * A failed call.
   *
   * @param call what was called, and for what
   * @param code the driver's code, for the operating system's calls {@code errno}
   * @param codeName the code's name, such as {@code EINVAL}
   */
  public DeviceException(String call, int code, String codeName) {
    super(String.format(Locale.ROOT, "%s failed: %s (%d)", call, codeName, code));
    this.code = code;
    this.codeName = codeName;
  }

  /**
   * A failed call, and what it means for whoever needed it.
   *
   * @param reason what is not to be had, or not done
   * @param failure the call, whose code this has too
   */
  public DeviceException(String reason, DeviceException failure) {
    super(String.format(Locale.ROOT, "%s: %s", reason, failure.getMessage()), failure);
    this.code = failure.code;
    this.codeName = failure.codeName;
  }

  /** {@return the driver's code, for the operating system's calls {@code errno}} */
  public int code() {
    return code;
  }

  /** {@return the code's name, such as {@code EINVAL}} */
  public String codeName() {
    return codeName;
  }
}
