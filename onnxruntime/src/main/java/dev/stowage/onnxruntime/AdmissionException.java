package dev.stowage.onnxruntime;

/**
 * Thrown if a session or a run is not admitted, before the engine is called.
 *
 * <p>The message has the numbers and a remedy.
 */
public final class AdmissionException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String session;
  private final long requestedBytes;
  private final boolean isPermanent;

  AdmissionException(String message, String session, long requestedBytes, boolean isPermanent) {
    super(message);
    this.session = session;
    this.requestedBytes = requestedBytes;
    this.isPermanent = isPermanent;
  }

  /** {@return the name of the session} */
  public String session() {
    return session;
  }

  /** {@return the requested bytes} */
  public long requestedBytes() {
    return requestedBytes;
  }

  /**
   * {@return true if the limits never permit the request, with the sessions that were open; false
   * if it can pass when other runs end}
   */
  public boolean isPermanent() {
    return isPermanent;
  }
}
