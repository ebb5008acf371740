package dev.stowage.fleet.result;

import dev.stowage.fleet.item.ItemId;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/**
 * The reason why an item has no result.
 *
 * @param item the item
 * @param exitCode the exit code of the command; -1 if its process ended or was ended
 * @param error the message of the command, or the end of its process
 * @param details the last lines of a process that ended
 * @param isCached true if the failure is that of an earlier sweep
 */
public record Failed(
    ItemId item, int exitCode, String error, List<String> details, boolean isCached)
    implements ItemResult {

  /** Creates a failure. */
  public Failed {
    details = List.copyOf(details);
  }

  @Override
  public String toJsonLine() {
    return ResultLine.write(this::write);
  }

  private void write(JsonGenerator line) {
    ResultLine.writeItem(item, line);
    line.writeStringProperty("error", error);
    line.writeNumberProperty("exit", exitCode);
    if (!details.isEmpty()) {
      line.writeArrayPropertyStart("details");
      details.forEach(line::writeString);
      line.writeEndArray();
    }
  }
}
