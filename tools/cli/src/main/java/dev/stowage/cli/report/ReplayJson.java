package dev.stowage.cli.report;

import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.cli.text.ProductVersion;
import dev.stowage.trace.replay.ReplayResult;
import java.io.Writer;
import java.util.Locale;

/** Replayed traces as lines of JSON. */
final class ReplayJson implements ReportFormat<ReplayReport> {

  @Override
  public void print(ReplayReport report, Writer out) {
    ReplayResult result = report.result();
    JsonLine.print(
        out,
        json -> {
          json.writeStringProperty("input", report.input());
          json.writeNumberProperty("events", report.events());
          json.writeNumberProperty("allocations", report.allocations());
          json.writeNumberProperty("frees", result.frees());
          json.writeNumberProperty("failures", result.failures());
          json.writeNumberProperty("peak_requested_bytes", result.peakRequestedBytes());
          json.writeNumberProperty("peak_in_use_bytes", result.peakInUseBytes());
          json.writeNumberProperty("reserved_bytes", result.reservedBytes());
          json.writeNumberProperty("peak_reserved_bytes", result.peakReservedBytes());
          json.writeArrayPropertyStart("regions");
          result.regionBytes().forEach(json::writeNumber);
          json.writeEndArray();
          json.writeNumberProperty("external_fragmentation", result.externalFragmentation());
          json.writeNumberProperty("internal_fragmentation", result.internalFragmentation());
          json.writeNumberProperty("seconds", report.seconds());
          json.writeStringProperty("allocator", report.allocator().name());
          json.writeStringProperty("settings", report.allocator().settings());
          json.writeNumberProperty("device_calls", result.deviceCalls());
          if (report.allocator().recordedAddresses().isPresent()) {
            json.writeNumberProperty(
                "recorded_addresses", report.allocator().recordedAddresses().getAsLong());
          }
          if (report.allocator().name().equals("pytorch")) {
            json.writeStringProperty(
                "basis", report.allocator().isConfirmed() ? "recording" : "PyTorch's rules");
          }
          result
              .firstFailure()
              .ifPresent(failure -> {
                json.writeObjectPropertyStart("first_failure");
                json.writeNumberProperty("event", failure.event());
                json.writeStringProperty("id", failure.id());
                json.writeStringProperty(
                    "verdict", failure.verdict().name().toLowerCase(Locale.ROOT));
                json.writeStringProperty("reason", failure.reason());
                json.writeEndObject();
              });
          ProductVersion.find().ifPresent(version -> json.writeStringProperty("version", version));
          report
              .summary()
              .recorded()
              .ifPresent(recorded -> {
                json.writeNumberProperty("older_blocks", recorded.olderBlocks());
                json.writeNumberProperty("older_bytes", recorded.olderBytes());
                json.writeNumberProperty("recorded_reserved_bytes", recorded.reservedBytes());
              });
          report
              .details()
              .explanation()
              .ifPresent(explanation -> ReplayExplanationJson.write(explanation, json));
        });
  }
}
