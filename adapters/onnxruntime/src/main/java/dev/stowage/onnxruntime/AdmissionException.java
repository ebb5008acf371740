package dev.stowage.onnxruntime;

import dev.stowage.allocator.internal.ByteCount;
import java.util.Locale;

/**
 * Thrown if a session or a run is not admitted. The engine is not called then.
 *
 * <p>The message has the numbers and a remedy.
 *
 * @serial exclude
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

  /** {@return the exception for a request that cannot pass even if all runs end} */
  static AdmissionException impossible(SessionAccount session, long boundBytes, String obstacle) {
    return new AdmissionException(
        String.format(
            Locale.ROOT,
            "session '%s' can never get %s: %s. Request fewer bytes, or raise the limit.",
            session.name(),
            ByteCount.exact(boundBytes),
            obstacle),
        session.name(),
        boundBytes,
        true);
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
   * {@return true if the request cannot pass while the same sessions are open; false if it can pass
   * when other runs end}
   */
  public boolean isPermanent() {
    return isPermanent;
  }
}
