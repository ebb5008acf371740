package dev.stowage.cli.report;

import dev.stowage.cli.devices.DeviceList;
import java.io.IOException;
import java.io.Writer;

/** A way to print the devices of a machine. */
public sealed interface DevicesFormat permits DevicesTable, DevicesJson {

  /**
   * Prints devices.
   *
   * @param devices what to print
   * @param out where to
   * @throws IOException if that cannot be written
   */
  void print(DeviceList devices, Writer out) throws IOException;

  /** {@return a table for people} */
  static DevicesFormat table() {
    return new DevicesTable();
  }

  /** {@return a line of JSON} */
  static DevicesFormat json() {
    return new DevicesJson();
  }
}
