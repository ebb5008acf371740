package dev.stowage.cli.banks;

import dev.stowage.cli.input.InputFile;
import dev.stowage.cli.input.RecordLabel;
import dev.stowage.cli.report.JsonLine;
import dev.stowage.cli.report.LabelJson;
import dev.stowage.cli.report.ReportFormat;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.banks.MemoryBank;
import dev.stowage.plan.banks.search.BankedSearchResult;
import java.io.Writer;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;

/** Plans in several banks as one line of JSON for each input. */
final class BankJson implements ReportFormat<BankReport> {

  @Override
  public void print(BankReport report, Writer out) {
    JsonLine.print(
        out,
        json -> {
          writeInput(report, json);
          json.writeArrayPropertyStart("records");
          for (int i = 0; i < report.problem().recordCount(); i++) {
            writeRecord(i, report, json);
          }
          json.writeEndArray();
          json.writeArrayPropertyStart("plans");
          report.plans().forEach(plan -> writePlan(plan, report, json));
          json.writeEndArray();
          if (report.isInterrupted()) {
            json.writeBooleanProperty("interrupted", true);
          }
        });
  }

  private static void writeInput(BankReport report, JsonGenerator json) {
    InputFile file = report.input().file();
    json.writeStringProperty("input", file.path());
    json.writeStringProperty("format", file.format());
    json.writeNumberProperty("operators", file.operatorCount());
    json.writeNumberProperty("alignment", report.problem().problem().alignment());
    json.writeNumberProperty("naive_bytes", report.problem().problem().naiveBytes());
    LabelJson.writeTasks(file, json);
    json.writeArrayPropertyStart("banks");
    for (MemoryBank bank : report.problem().banks()) {
      json.writeStartObject();
      json.writeStringProperty("name", bank.name());
      bank.bytes().ifPresent(bytes -> json.writeNumberProperty("bytes", bytes));
      json.writeNumberProperty("alignment", bank.alignment());
      json.writeNumberProperty("cost", bank.cost());
      json.writeEndObject();
    }
    json.writeEndArray();
    if (report.lowerBoundCost() < Long.MAX_VALUE) {
      json.writeObjectPropertyStart("lower_bounds");
      json.writeNumberProperty("cost", report.lowerBoundCost());
      json.writeEndObject();
    }
  }

  private static void writeRecord(int i, BankReport report, JsonGenerator json) {
    RecordLabel label = report.input().labels().get(i);
    TensorUsageRecord record = report.problem().problem().records().get(i);
    json.writeStartObject();
    json.writeStringProperty("id", label.id());
    json.writeStringProperty("name", label.name());
    json.writeNumberProperty("bytes", record.bytes());
    json.writeNumberProperty("first_task", record.firstTask());
    json.writeNumberProperty("last_task", record.lastTask());
    json.writeNumberProperty("reads", report.problem().reads(i));
    report
        .problem()
        .tiedBank(i)
        .ifPresent(
            bank -> json.writeStringProperty("bank", report.problem().banks().get(bank).name()));
    LabelJson.write(label, json);
    json.writeEndObject();
  }

  private static void writePlan(BankPlan plan, BankReport report, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("strategy", plan.strategy().name());
    json.writeStringProperty("kind", "banks");
    json.writeNumberProperty("cost", plan.assignment().cost());
    json.writeArrayPropertyStart("banks");
    for (int i = 0; i < plan.assignment().recordCount(); i++) {
      json.writeString(report.bank(plan, i).name());
    }
    json.writeEndArray();
    json.writeName("offsets");
    json.writeArray(plan.assignment().offsets(), 0, plan.assignment().recordCount());
    json.writeName("bank_bytes");
    long[] bankBytes = plan.assignment().bankBytes();
    json.writeArray(bankBytes, 0, bankBytes.length);
    json.writeBooleanProperty("optimal", report.isOptimal(plan));
    json.writeNumberProperty("seconds", plan.seconds());
    plan.search().ifPresent(search -> writeSearch(search, json));
    json.writeEndObject();
  }

  private static void writeSearch(BankedSearchResult search, JsonGenerator json) {
    json.writeNumberProperty("lower_bound", search.lowerBoundCost());
    json.writeNumberProperty("nodes", search.nodes());
    json.writeStringProperty("ended", search.end().name().toLowerCase(Locale.ROOT));
  }
}
