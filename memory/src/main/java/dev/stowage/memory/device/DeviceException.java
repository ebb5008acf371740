package dev.stowage.memory.device;

import java.util.Locale;

/**
 * The failure of a call of a device's driver or of the operating system. The message names the
 * call, its purpose and the error.
 *
 * <p>Too little memory for a region is not such a failure: the device returns an empty result.
 *
 * @serial exclude
 */
public sealed class DeviceException extends RuntimeException permits NoStagingException {

  private static final long serialVersionUID = 1L;

  private final int code;
  private final String codeName;

  /**
   * Creates an exception for a failed call.
   *
   * @param call the call and its purpose
   * @param code the error code of the driver, or {@code errno} of the operating system
   * @param codeName the name of the code, such as {@code EINVAL}
   */
  public DeviceException(String call, int code, String codeName) {
    super(String.format(Locale.ROOT, "%s failed: %s (%d)", call, codeName, code));
    this.code = code;
    this.codeName = codeName;
  }

  /**
   * Creates an exception for a failed call, and its consequence for the caller.
   *
   * @param reason the consequence
   * @param failure the exception of the call; the new exception has the same code
   */
  public DeviceException(String reason, DeviceException failure) {
    super(String.format(Locale.ROOT, "%s: %s", reason, failure.getMessage()), failure);
    this.code = failure.code;
    this.codeName = failure.codeName;
  }

  /** {@return the error code of the driver, or {@code errno} of the operating system} */
  public int code() {
    return code;
  }

  /** {@return the name of the code, such as {@code EINVAL}} */
  public String codeName() {
    return codeName;
  }
}
