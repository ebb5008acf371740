package dev.stowage.cli.report;

import dev.stowage.cli.devices.DeviceList;
import dev.stowage.cli.devices.DeviceList.FoundDevice;
import dev.stowage.cli.devices.DeviceList.MissingDevice;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import java.util.stream.Collectors;

/** The devices of a machine, and the reasons why others are missing. */
public final class DevicesAnswer {

  private DevicesAnswer() {}

  public static Answer of(DeviceList devices) {
    Answer answer =
        new Answer()
            .line("%s", sentence(devices))
            .table(
                Table.named("devices", devices.found())
                    .text("", "DEVICE", DevicesAnswer::name)
                    .text("kind", Table.HIDDEN, FoundDevice::kind)
                    .text("name", Table.HIDDEN, FoundDevice::name)
                    .inUnit("total_bytes", "total", FoundDevice::totalBytes)
                    .inUnit("available_bytes", "available", FoundDevice::availableBytes)
                    .count("alignment_bytes", "alignment", FoundDevice::alignmentBytes))
            .table(
                Table.named("missing", devices.missing())
                    .text("kind", Table.HIDDEN, MissingDevice::kind)
                    .text("reason", Table.HIDDEN, MissingDevice::reason));
    if (!devices.missing().isEmpty()) {
      answer.line("");
    }
    for (MissingDevice missing : devices.missing()) {
      answer.line("No %s: %s.", Printable.of(missing.kind()), Printable.of(missing.reason()));
    }
    return answer;
  }

  private static String sentence(DeviceList devices) {
    return devices.found().isEmpty()
        ? "No device can be used."
        : Numbers.count(devices.found().size(), "device")
            + " can be used: "
            + devices.found().stream()
                .map(device ->
                    Printable.of(name(device))
                        + " with "
                        + ByteUnit.human(device.availableBytes())
                        + " available")
                .collect(Collectors.joining(", "))
            + ".";
  }

  private static String name(FoundDevice device) {
    return device.name().equals(device.kind())
        ? device.kind()
        : device.kind() + ": " + device.name();
  }
}
