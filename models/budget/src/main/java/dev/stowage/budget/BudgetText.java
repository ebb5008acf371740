package dev.stowage.budget;

import dev.stowage.plan.shapes.DimensionValues;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A budget as text: lines of fields that tabs separate.
 *
 * <pre>
 * stowage-budget  2
 * model           model.onnx
 * engine          ONNX Runtime 1.29.0
 * machine         AMD EPYC, 2 processors
 * service         SESSIONS  CONCURRENT  LOADED-BYTES  HIGHEST-BYTES  NAME  SIZE  NAME  SIZE
 * run             ALLOCATOR-BYTES  NAME  SIZE  NAME  SIZE
 * end
 * </pre>
 *
 * Tabs, line ends and percent signs in names are written as %09, %0A, %0D and %25.
 */
final class BudgetText {

  private static final String FIRST = "stowage-budget\t2";
  private static final String LAST = "end";
  private static final int FIELDS_OF_SERVICE = 5;
  private static final int FIELDS_OF_RUN = 2;

  private final List<String> lines;
  private int at;

  BudgetText(String text) {
    lines = text.lines().toList();
  }

  static String of(ModelBudget budget) {
    StringBuilder text = new StringBuilder(FIRST);
    text.append("\nmodel\t").append(escaped(budget.model()));
    text.append("\nengine\t").append(escaped(budget.engine()));
    text.append("\nmachine\t").append(escaped(budget.machine()));
    for (ServiceSample sample : budget.services()) {
      text.append(
          String.format(
              Locale.ROOT,
              "\nservice\t%d\t%d\t%d\t%d%s",
              sample.sessions(),
              sample.concurrent(),
              sample.loadedBytes(),
              sample.highestBytes(),
              of(sample.shape())));
    }
    for (RunSample sample : budget.runs()) {
      text.append(
          String.format(Locale.ROOT, "\nrun\t%d%s", sample.allocatorBytes(), of(sample.shape())));
    }
    return text.append('\n').append(LAST).append('\n').toString();
  }

  private static String of(DimensionValues shape) {
    StringBuilder text = new StringBuilder();
    shape
        .toMap()
        .forEach((name, size) ->
            text.append('\t').append(escaped(name)).append('\t').append((long) size));
    return text.toString();
  }

  private static String escaped(String name) {
    return name.replace("%", "%25").replace("\t", "%09").replace("\n", "%0A").replace("\r", "%0D");
  }

  private static String unescaped(String name) {
    return name.replace("%0D", "\r").replace("%0A", "\n").replace("%09", "\t").replace("%25", "%");
  }

  ModelBudget parse() {
    if (lines.isEmpty() || !lines.getFirst().equals(FIRST)) {
      throw new IllegalArgumentException(
          "line 1: expected '"
              + FIRST.replace('\t', ' ')
              + "', the first line of a budget of this version; write it again with stowage budget --profile");
    }
    Map<String, String> names = new HashMap<>();
    List<ServiceSample> services = new ArrayList<>();
    List<RunSample> runs = new ArrayList<>();
    for (at = 1; at < lines.size() && !lines.get(at).equals(LAST); at++) {
      String[] fields = lines.get(at).split("\t", -1);
      switch (fields[0]) {
        case "model", "engine", "machine" -> names.put(fields[0], unescaped(field(fields, 1)));
        case "service" -> services.add(service(fields));
        case "run" -> runs.add(new RunSample(shape(fields, FIELDS_OF_RUN), number(fields, 1)));
        default -> throw rejected("unknown kind '" + fields[0] + "'");
      }
    }
    if (at >= lines.size()) {
      throw rejected("expected '" + LAST + "'; the text is cut short");
    }
    return new ModelBudget(
        names.getOrDefault("model", ""),
        names.getOrDefault("engine", ""),
        names.getOrDefault("machine", ""),
        services,
        runs);
  }

  private ServiceSample service(String[] fields) {
    try {
      return new ServiceSample(
          shape(fields, FIELDS_OF_SERVICE),
          Math.toIntExact(number(fields, 1)),
          Math.toIntExact(number(fields, 2)),
          number(fields, 3),
          number(fields, 4));
    } catch (ArithmeticException e) {
      throw rejected("expected counts below 2^31");
    }
  }

  private DimensionValues shape(String[] fields, int first) {
    Map<String, Long> sizes = new LinkedHashMap<>();
    for (int i = first; i < fields.length; i += 2) {
      sizes.put(unescaped(fields[i]), number(fields, i + 1));
    }
    return DimensionValues.of(sizes);
  }

  private long number(String[] fields, int index) {
    try {
      return Long.parseLong(field(fields, index));
    } catch (NumberFormatException e) {
      throw rejected("expected a number, found '" + field(fields, index) + "'");
    }
  }

  private String field(String[] fields, int index) {
    if (index >= fields.length) {
      throw rejected("expected more than " + fields.length + " fields");
    }
    return fields[index];
  }

  private IllegalArgumentException rejected(String reason) {
    return new IllegalArgumentException(String.format(Locale.ROOT, "line %d: %s", at + 1, reason));
  }
}
