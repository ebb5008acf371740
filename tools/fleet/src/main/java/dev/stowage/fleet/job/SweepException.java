package dev.stowage.fleet.job;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/** A failure of a whole sweep. Its message is complete for the user. */
final class SweepException extends RuntimeException {

  private static final long serialVersionUID = 1;

  SweepException(String message, Throwable cause) {
    super(message, cause);
  }

  /** {@return a failure of this machine, after which Flink does not run the batch again} */
  static SuppressRestartsException ofMachine(String failure, IOException cause) {
    String message = "the machine " + host() + " " + failure + ": " + cause.getMessage();
    return new SuppressRestartsException(new SweepException(message, cause));
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "without a name";
    }
  }
}
