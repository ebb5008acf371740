package dev.stowage.fleet.flink;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** The name of this host, for messages. */
final class HostName {

  private HostName() {}

  static String get() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "an unnamed host";
    }
  }
}
