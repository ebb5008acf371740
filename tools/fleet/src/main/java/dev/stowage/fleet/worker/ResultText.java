package dev.stowage.fleet.worker;

import java.io.StringWriter;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** The facts of the output of a command that do not depend on the command. */
final class ResultText {

  private static final JsonFactory JSON = new JsonFactory();

  /** The exit codes of commands with a result: done, and no plan or failed requests. */
  private static final Set<Integer> RESULTS = Set.of(0, 4);

  /** The properties that are true if time or a signal ended a search. */
  private static final Set<String> CUTS = Set.of("cut", "hindsight_cut", "interrupted");

  private static final Set<String> CUT_ENDS = Set.of("time_limit", "cancelled");

  private ResultText() {}

  static boolean isResult(int exitCode) {
    return RESULTS.contains(exitCode);
  }

  /** {@return the seconds, without zeros at the end} */
  static String seconds(Duration duration) {
    return BigDecimal.valueOf(duration.toNanos(), 9).stripTrailingZeros().toPlainString();
  }

  /** {@return the output of a command with another name of the input} */
  static String withInput(String output, String path, String input) {
    return output.replace(property(path), property(input));
  }

  private static String property(String input) {
    StringWriter out = new StringWriter();
    JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out);
    json.writeStartObject();
    json.writeStringProperty("input", input);
    json.flush();
    return out.toString();
  }

  /**
   * {@return true if a limit of time may have changed a result}
   *
   * @param text the output of a command
   * @param options the options of the command
   */
  static boolean isCut(String text, List<String> options) {
    boolean isTimeLimited = options.stream().anyMatch(it -> it.startsWith("--time-limit"));
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), text)) {
      for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
        if (token != JsonToken.PROPERTY_NAME) {
          continue;
        }
        String name = json.currentName();
        token = json.nextToken();
        boolean isCut =
            (CUTS.contains(name) && token == JsonToken.VALUE_TRUE)
                || (name.equals("ended") && CUT_ENDS.contains(json.getString()))
                || (name.equals("reorder") && isUnproved(json))
                // The layout of a range of shapes does not have the end of its search.
                || (name.equals("maximum_plan") && isTimeLimited);
        if (isCut) {
          return true;
        }
      }
      return false;
    } catch (JacksonException e) {
      return false;
    }
  }

  /** {@return true if the search for an order has no proof, since only time limits it} */
  private static boolean isUnproved(JsonParser json) {
    while (json.nextToken() != JsonToken.END_OBJECT) {
      boolean isProof = "optimal".equals(json.currentName());
      if (json.nextToken() == JsonToken.VALUE_FALSE && isProof) {
        return true;
      }
      json.skipChildren();
    }
    return false;
  }
}
