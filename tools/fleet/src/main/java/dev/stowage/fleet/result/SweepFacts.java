package dev.stowage.fleet.result;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The sweep that made a folder with results: the file {@code sweep.json} in it.
 *
 * @param command the command that the items ran
 * @param options the options of all items
 * @param version the version of Stowage
 * @param shard the part of the sweep
 * @param itemCount the number of its items
 * @param isComplete false if the sweep was interrupted
 */
public record SweepFacts(
    String command,
    List<String> options,
    String version,
    Shard shard,
    long itemCount,
    boolean isComplete) {

  /** The name of the file in a folder with results. */
  public static final String FILE = "sweep.json";

  /** Creates the facts. */
  public SweepFacts {
    options = List.copyOf(options);
  }

  /** {@return the facts as a line of JSON} */
  public String toJson() {
    return ResultLine.write(json -> {
      json.writeStringProperty("command", command);
      json.writeArrayPropertyStart("options");
      options.forEach(json::writeString);
      json.writeEndArray();
      json.writeStringProperty("version", version);
      json.writeStringProperty("shard", shard.toString());
      json.writeNumberProperty("items", itemCount);
      json.writeBooleanProperty("complete", isComplete);
    })
        + "\n";
  }

  /**
   * {@return the facts of a folder with results}
   *
   * @param folder the folder
   * @throws IOException if the file cannot be read or is not valid
   */
  public static SweepFacts read(Path folder) throws IOException {
    try {
      JsonTree tree = JsonTree.parse(Files.readString(folder.resolve(FILE)));
      return new SweepFacts(
          tree.text("command"),
          tree.texts("options"),
          tree.text("version"),
          Shard.parse(tree.text("shard"))
              .orElseThrow(() -> new IllegalArgumentException("it has no shard")),
          tree.number("items").orElse(0),
          tree.isTrue("complete"));
    } catch (IllegalArgumentException e) {
      throw new IOException(FILE + " is not that of a sweep: " + e.getMessage(), e);
    }
  }
}
