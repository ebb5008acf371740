package dev.stowage.memory.device;

/** Thrown if there is too little staging memory. */
public final class NoStagingException extends DeviceException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception for a refused request.
   *
   * @param reason the request, and the bytes that are available
   * @param refusal the call that failed
   */
  NoStagingException(String reason, DeviceException refusal) {
    super(reason, refusal);
  }
}
