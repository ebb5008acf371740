package dev.stowage.cli.report;

import dev.stowage.cli.devices.DeviceList;
import dev.stowage.cli.devices.FoundDevice;
import dev.stowage.cli.devices.MissingDevice;
import java.io.Writer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;

/** Prints devices as one line of JSON. */
final class DevicesJson implements DevicesFormat {

  private static final JsonFactory FACTORY =
      JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();

  @Override
  public void print(DeviceList devices, Writer out) {
    try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
      json.writeStartObject();
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
      json.writeEndObject();
      json.writeRaw('\n');
    }
  }
}
