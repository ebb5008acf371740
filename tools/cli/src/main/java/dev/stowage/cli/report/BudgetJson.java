package dev.stowage.cli.report;

import dev.stowage.budget.MemoryPart;
import dev.stowage.cli.budget.BudgetReport;
import dev.stowage.cli.budget.ServiceRule;
import dev.stowage.cli.budget.ShapeBudget;
import java.io.Writer;
import tools.jackson.core.JsonGenerator;

/** Budgets as lines of JSON: one for each shape. */
final class BudgetJson implements ReportFormat<BudgetReport> {

  @Override
  public void print(BudgetReport report, Writer out) {
    for (ShapeBudget shape : report.shapes()) {
      JsonLine.print(out, json -> write(report, shape, json));
    }
  }

  private static void write(BudgetReport report, ShapeBudget shape, JsonGenerator json) {
    json.writeStringProperty("input", shape.input());
    json.writeObjectPropertyStart("dimensions");
    shape.dimensions().forEach(json::writeNumberProperty);
    json.writeEndObject();
    json.writeNumberProperty("sessions", shape.service().sessions());
    json.writeNumberProperty("threads", shape.service().threads());
    if (report.cpu().isPresent()) {
      json.writeStringProperty("cpu", report.cpu().get().name());
    } else {
      json.writeNullProperty("cpu");
    }
    json.writeStringProperty("engine", report.engine().name());
    json.writeArrayPropertyStart("parts");
    for (MemoryPart part : shape.budget().parts()) {
      json.writeStartObject();
      json.writeStringProperty("name", part.name());
      json.writeNumberProperty("bytes", shape.budget().highestBytes(part));
      json.writeStringProperty("how", part.how().toString());
      json.writeStringProperty("confidence", report.confidence(part).toString());
      json.writeNumberProperty("loading_bytes", part.loadingBytes());
      json.writeNumberProperty("running_bytes", part.runningBytes());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeNumberProperty("loading_bytes", shape.budget().loadingBytes());
    json.writeNumberProperty("running_bytes", shape.budget().runningBytes());
    json.writeNumberProperty("predicted_bytes", shape.budget().highestBytes());
    if (shape.measuredBytes().isPresent()) {
      json.writeNumberProperty("measured_bytes", shape.measuredBytes().getAsLong());
    } else {
      json.writeNullProperty("measured_bytes");
    }
    shape
        .comparisons()
        .measured()
        .ifPresent(measured -> {
          long anonymous = measured.end().anonymousBytes() - measured.start().anonymousBytes();
          json.writeNumberProperty("measured_anonymous_bytes", anonymous);
          json.writeNumberProperty(
              "measured_file_bytes", measured.end().fileBytes() - measured.start().fileBytes());
        });
    json.writeBooleanProperty("fits", shape.fits());
    shape
        .comparisons()
        .plannedBytes()
        .ifPresent(bytes -> json.writeNumberProperty("planned_bytes", bytes));
    json.writeObjectPropertyStart("rules");
    for (ServiceRule rule : shape.comparisons().rules()) {
      json.writeNumberProperty(rule.name(), rule.bytes());
    }
    json.writeEndObject();
    json.writeArrayPropertyStart("evidence");
    for (BudgetReport.Evidence evidence : report.evidence()) {
      json.writeStartObject();
      json.writeStringProperty("kind", evidence.kind());
      json.writeStringProperty("sentence", evidence.sentence());
      json.writeEndObject();
    }
    json.writeEndArray();
    report
        .fit()
        .ifPresent(fit -> {
          json.writeObjectPropertyStart("fit");
          json.writeStringProperty("name", fit.name());
          if (fit.largest().isPresent()) {
            json.writeNumberProperty("largest", fit.largest().getAsLong());
          } else {
            json.writeNullProperty("largest");
          }
          if (fit.allUpTo().isPresent()) {
            json.writeNumberProperty("all_up_to", fit.allUpTo().getAsLong());
          } else {
            json.writeNullProperty("all_up_to");
          }
          json.writeEndObject();
        });
  }
}
