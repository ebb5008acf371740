package dev.stowage.cli.report;

import dev.stowage.cli.devices.DeviceList;
import dev.stowage.cli.devices.FoundDevice;
import dev.stowage.cli.devices.MissingDevice;
import dev.stowage.cli.text.ByteUnit;
import dev.stowage.cli.text.Numbers;
import dev.stowage.cli.text.Printable;
import java.io.IOException;
import java.io.Writer;
import java.util.Locale;

/** Devices as a table, and the reasons why others are missing. */
final class DevicesTable implements ReportFormat<DeviceList> {

  @Override
  public void print(DeviceList devices, Writer out) throws IOException {
    TextTable table = new TextTable();
    table.row("DEVICE", "total", "available", "alignment");
    for (FoundDevice device : devices.found()) {
      table.row(
          name(device),
          ByteUnit.human(device.totalBytes()),
          ByteUnit.human(device.availableBytes()),
          Numbers.grouped(device.alignmentBytes()) + " B");
    }
    table.print(out);
    if (!devices.missing().isEmpty()) {
      out.write("\n");
    }
    for (MissingDevice missing : devices.missing()) {
      out.write(
          String.format(
              Locale.ROOT,
              "No %s: %s.\n",
              Printable.of(missing.kind()),
              Printable.of(missing.reason())));
    }
  }

  private static String name(FoundDevice device) {
    return device.name().equals(device.kind())
        ? device.kind()
        : device.kind() + ": " + Printable.of(device.name());
  }
}
