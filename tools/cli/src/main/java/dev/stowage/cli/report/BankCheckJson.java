package dev.stowage.cli.report;

import dev.stowage.cli.check.BankCheckReport;
import dev.stowage.cli.check.BankCheckReport.CheckedBank;
import java.io.Writer;
import java.math.BigInteger;
import java.util.function.ToLongFunction;
import tools.jackson.core.JsonGenerator;

/** Checked plans in several banks as lines of JSON. */
final class BankCheckJson implements ReportFormat<BankCheckReport> {

  @Override
  public void print(BankCheckReport report, Writer out) {
    JsonLine.print(
        out,
        json -> {
          json.writeStringProperty("input", report.input().file().path());
          json.writeStringProperty("format", report.input().file().format());
          json.writeBooleanProperty("valid", report.violations().isEmpty());
          json.writeNumberProperty("records", report.input().labels().size());
          json.writeNumberProperty("alignment", report.input().problem().alignment());
          json.writeNumberProperty("total_bytes", sum(report, CheckedBank::totalBytes));
          json.writeObjectPropertyStart("lower_bounds");
          json.writeNumberProperty("offsets", sum(report, bank -> bank.bounds().offsetsBytes()));
          json.writeNumberProperty("objects", sum(report, bank -> bank.bounds().objectsBytes()));
          json.writeEndObject();
          json.writeArrayPropertyStart("banks");
          report.banks().forEach(bank -> write(bank, report, json));
          json.writeEndArray();
          report.cost().ifPresent(cost -> json.writeNumberProperty("cost", cost));
          new ViolationsJson(report.input(), report.input().banks().ties())
              .write(report.violations(), json);
        });
  }

  private static void write(CheckedBank bank, BankCheckReport report, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("name", bank.bank().name());
    bank.bank().bytes().ifPresent(bytes -> json.writeNumberProperty("bytes", bytes));
    if (report.cost().isPresent()) {
      json.writeNumberProperty("alignment", bank.bank().alignment());
      json.writeNumberProperty("cost", bank.bank().cost());
    }
    json.writeNumberProperty("records", bank.recordCount());
    json.writeNumberProperty("total_bytes", bank.totalBytes());
    json.writeObjectPropertyStart("lower_bounds");
    json.writeNumberProperty("offsets", bank.bounds().offsetsBytes());
    json.writeNumberProperty("objects", bank.bounds().objectsBytes());
    json.writeEndObject();
    json.writeEndObject();
  }

  /** {@return a sum over all banks, which may exceed 2^63 - 1} */
  private static BigInteger sum(BankCheckReport report, ToLongFunction<CheckedBank> bytes) {
    return report.banks().stream()
        .map(bank -> BigInteger.valueOf(bytes.applyAsLong(bank)))
        .reduce(BigInteger.ZERO, BigInteger::add);
  }
}
