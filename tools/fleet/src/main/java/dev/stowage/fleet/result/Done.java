package dev.stowage.fleet.result;

import dev.stowage.fleet.item.ItemId;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/**
 * The result of an item.
 *
 * @param item the item
 * @param seconds the time of the command
 * @param exitCode the exit code of the command, such as 0, or 4 if no plan fits
 * @param output the output of the command
 * @param isCut true if a limit of time ended a search, so that another run may differ
 * @param isCached true if the result is that of an earlier sweep
 */
public record Done(
    ItemId item, double seconds, int exitCode, Output output, boolean isCut, boolean isCached)
    implements ItemResult {

  /**
   * The output of a command.
   *
   * @param json an object, or an array of several objects
   * @param messages the lines on the standard error, such as notes
   */
  public record Output(String json, List<String> messages) {

    /** Creates an output. */
    public Output {
      messages = List.copyOf(messages);
    }
  }

  @Override
  public String toJsonLine() {
    return ResultLine.write(this::write);
  }

  private void write(JsonGenerator line) {
    ResultLine.writeItem(item, line);
    line.writeNumberProperty("seconds", seconds);
    line.writeNumberProperty("exit", exitCode);
    if (isCut) {
      line.writeBooleanProperty("cut", true);
    }
    if (!output.messages().isEmpty()) {
      line.writeArrayPropertyStart("messages");
      output.messages().forEach(line::writeString);
      line.writeEndArray();
    }
    line.writeName("result");
    line.writeRawValue(output.json());
  }
}
