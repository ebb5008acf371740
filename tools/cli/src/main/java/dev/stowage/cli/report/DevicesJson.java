package dev.stowage.cli.report;

import dev.stowage.cli.devices.DeviceList;
import dev.stowage.cli.devices.FoundDevice;
import dev.stowage.cli.devices.MissingDevice;
import java.io.Writer;

/** Devices as one line of JSON. */
final class DevicesJson implements ReportFormat<DeviceList> {

  @Override
  public void print(DeviceList devices, Writer out) {
    JsonLine.print(
        out,
        json -> {
          json.writeArrayPropertyStart("devices");
          for (FoundDevice device : devices.found()) {
            json.writeStartObject();
            json.writeStringProperty("kind", device.kind());
            json.writeStringProperty("name", device.name());
            json.writeNumberProperty("total_bytes", device.totalBytes());
            json.writeNumberProperty("available_bytes", device.availableBytes());
            json.writeNumberProperty("alignment_bytes", device.alignmentBytes());
            json.writeEndObject();
          }
          json.writeEndArray();
          json.writeArrayPropertyStart("missing");
          for (MissingDevice missing : devices.missing()) {
            json.writeStartObject();
            json.writeStringProperty("kind", missing.kind());
            json.writeStringProperty("reason", missing.reason());
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }
}
