package dev.stowage.fleet.flink;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The name of this host, for messages. */
final class HostName {

  private HostName() {}

  static String get() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return nameWithoutAddress();
    }
  }

  /** {@return the name that no resolver knows, on Linux} */
  private static String nameWithoutAddress() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    } catch (IOException e) {
      return "an unnamed host";
    }
  }
}
