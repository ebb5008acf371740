package dev.stowage.cli.netty;

/** Thrown if a recording cannot run in Netty; the message has the reason and the remedy. */
public final class NettyRunException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message the reason, without the name of the recording
   */
  public NettyRunException(String message) {
    super(message);
  }
}
