package dev.stowage.cli.gate;

import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.io.JsonStringEncoder;

/**
 * A writer of baselines as JSON. Their differences are easy to review: keys are sorted, and each
 * figure, option and record has a line. The first task of a record counts from the first task of
 * the previous record. Therefore an inserted record changes no other line.
 */
public final class BaselineWriter {

  private BaselineWriter() {}

  public static void write(Baseline baseline, Writer out) throws IOException {
    List<String> members = new ArrayList<>();
    members.add(member(BaselineReader.VERSION_KEY, Long.toString(BaselineReader.VERSION)));
    baseline
        .commands()
        .forEach((command, entries) ->
            members.add(member(command, object(entries, BaselineWriter::entry, 2))));
    out.write(lines("{", members.stream(), 1) + "\n");
  }

  private static String entry(BaselineEntry entry) {
    Stream<String> properties =
        Stream.of(
            member("figures", object(entry.figures(), size -> Long.toString(size), 4)),
            member("options", object(entry.options(), BaselineWriter::text, 4)),
            member("parts", object(entry.parts(), size -> Long.toString(size), 4)),
            member("records", lines("[", records(entry.records()).stream(), 4)));
    return lines("{", properties, 3);
  }

  private static List<String> records(List<BaselineRecord> records) {
    List<String> lines = new ArrayList<>();
    long task = 0;
    for (BaselineRecord record : records) {
      lines.add(
          Stream.of(
                  member("name", text(record.name())),
                  member("size", Long.toString(record.size())),
                  member("starts_after", Long.toString(record.firstTask() - task)),
                  member("further_tasks", Long.toString(record.furtherTasks())))
              .collect(Collectors.joining(", ", "{", "}")));
      task = record.firstTask();
    }
    return lines;
  }

  private static <T> String object(Map<String, T> members, Function<T, String> value, int depth) {
    Stream<String> lines =
        members.entrySet().stream()
            .map(each -> member(each.getKey(), value.apply(each.getValue())));
    return lines("{", lines, depth);
  }

  private static String member(String key, String value) {
    return text(key) + ": " + value;
  }

  private static String text(String text) {
    return '"' + new String(JsonStringEncoder.getInstance().quoteAsCharArray(text)) + '"';
  }

  /** {@return an object or a list with a line for each value} */
  private static String lines(String open, Stream<String> values, int depth) {
    String close = open.equals("{") ? "}" : "]";
    String line = "\n" + "  ".repeat(depth);
    String all = values.collect(Collectors.joining("," + line));
    return all.isEmpty() ? open + close : open + line + all + "\n" + "  ".repeat(depth - 1) + close;
  }
}
