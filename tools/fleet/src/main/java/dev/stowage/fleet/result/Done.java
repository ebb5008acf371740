package dev.stowage.fleet.result;

import java.util.List;
import tools.jackson.core.JsonGenerator;

/**
 * The result of an item.
 *
 * @param key the key of the item
 * @param input the path of the file
 * @param options the options of the command
 * @param seconds the time of the command
 * @param exitCode the exit code of the command, such as 0, or 4 if no plan fits
 * @param json the output of the command: an object, or an array of several objects
 * @param messages the lines of the command on its standard error, such as notes
 * @param isCut true if a limit of time ended a search, so that another run may differ
 * @param isCached true if the result is that of an earlier sweep
 */
public record Done(
    String key,
    String input,
    List<String> options,
    double seconds,
    int exitCode,
    String json,
    List<String> messages,
    boolean isCut,
    boolean isCached)
    implements ItemResult {

  /** Creates a result. */
  public Done {
    options = List.copyOf(options);
    messages = List.copyOf(messages);
  }

  @Override
  public String toJsonLine() {
    return ResultLine.write(this::write);
  }

  private void write(JsonGenerator line) {
    ResultLine.writeItem(key, input, options, line);
    line.writeNumberProperty("seconds", seconds);
    line.writeNumberProperty("exit", exitCode);
    if (isCut) {
      line.writeBooleanProperty("cut", true);
    }
    if (!messages.isEmpty()) {
      line.writeArrayPropertyStart("messages");
      messages.forEach(line::writeString);
      line.writeEndArray();
    }
    line.writeName("result");
    line.writeRawValue(json);
  }
}
