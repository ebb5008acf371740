package dev.stowage.fleet.worker;

import dev.stowage.fleet.item.WorkItem;
import dev.stowage.fleet.result.Done;
import dev.stowage.fleet.result.Failed;
import dev.stowage.fleet.result.ItemResult;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Results of earlier sweeps, by the content of their files, their options and the version of
 * Stowage.
 */
final class ResultCache {

  /*
   * An entry is a file of three lines, whose name is its key:
   *
   *   the SHA-256 of the other two
   *   ["input", seconds, exit code, is cut, "message", ...]
   *   the output of the command; empty for an invalid input, whose error is the first message
   *
   * Entries are written to a file of their own and renamed, so that several machines can share a
   * folder. An entry that is not valid is as if it was not there.
   */

  private static final JsonFactory JSON = new JsonFactory();

  /** The exit code of a command that cannot read or plan its input. */
  private static final int INVALID_INPUT = 3;

  private final Path folder;
  private final ContentHashes hashes;
  private final String version;

  private ResultCache(Path folder, ContentHashes hashes, String version) {
    this.folder = folder;
    this.hashes = hashes;
    this.version = version;
  }

  /**
   * {@return the cache in a folder}
   *
   * @param folder the folder, which need not exist
   * @param settings the settings of the workers that compute missing results
   * @param version the version of Stowage
   */
  static ResultCache of(String folder, WorkerSettings settings, String version) {
    ContentHashes hashes = new ContentHashes(settings.folder().orElse(""));
    String build = version + " " + hashes.ofJars(settings.modules().orElse(""));
    return new ResultCache(
        Path.of(folder),
        hashes,
        build + " " + settings.threads() + " " + System.getProperty("os.arch"));
  }

  /** {@return the place of the result of an item; empty if its file cannot be read} */
  Optional<Entry> entry(WorkItem item, Path read) {
    try {
      MessageDigest digest = ContentHashes.newDigest();
      ContentHashes.add(digest, version);
      ContentHashes.add(digest, extension(item.input()));
      ContentHashes.add(digest, hashes.ofModel(read));
      for (String argument : item.arguments()) {
        ContentHashes.add(digest, argument);
        ContentHashes.add(digest, hashes.ofFileIn(argument));
      }
      String key = HexFormat.of().formatHex(digest.digest());
      return Optional.of(
          new Entry(item, folder.resolve(key.substring(0, 2)).resolve(key + ".txt")));
    } catch (IOException | InvalidPathException e) {
      return Optional.empty(); // the command reports the error
    }
  }

  private static String extension(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    return name.indexOf('.') < 0 ? "" : name.substring(name.indexOf('.'));
  }

  /** The place of the result of an item. */
  static final class Entry {

    private final WorkItem item;
    private final Path file;

    private Entry(WorkItem item, Path file) {
      this.item = item;
      this.file = file;
    }

    /** {@return the result; empty if there is no valid one} */
    Optional<ItemResult> read() {
      String text;
      try {
        text = Files.readString(file);
      } catch (IOException e) {
        return Optional.empty();
      }
      int end = text.indexOf('\n');
      if (end < 0 || !text.substring(0, end).equals(hash(text.substring(end + 1)))) {
        return Optional.empty();
      }
      int second = text.indexOf('\n', end + 1);
      return second < 0
          ? Optional.empty()
          : parse(text.substring(end + 1, second), text.substring(second + 1));
    }

    private Optional<ItemResult> parse(String facts, String output) {
      try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), facts)) {
        json.nextToken();
        json.nextToken();
        String input = json.getString();
        json.nextToken();
        double seconds = json.getDoubleValue();
        json.nextToken();
        int exitCode = json.getIntValue();
        boolean isCut = json.nextToken() == JsonToken.VALUE_TRUE;
        List<String> messages = new ArrayList<>();
        while (json.nextToken() == JsonToken.VALUE_STRING) {
          messages.add(json.getString().replace(input, item.input()));
        }
        if (output.isEmpty()) {
          return Optional.of(new Failed(item.id(), exitCode, messages.get(0), List.of(), true));
        }
        // The same content may have another path now.
        String named = ResultText.withInput(output, input, item.input());
        return Optional.of(
            new Done(item.id(), seconds, exitCode, new Done.Output(named, messages), isCut, true));
      } catch (JacksonException e) {
        return Optional.empty();
      }
    }

    /**
     * Writes a result or an invalid input, unless the folder cannot be written to. Other failures
     * depend on more than the input.
     */
    void write(ItemResult result) {
      if (result instanceof Done done) {
        Done.Output output = done.output();
        write(
            facts(result, done.seconds(), done.isCut(), output.messages()) + "\n" + output.json());
      } else if (result instanceof Failed failed && failed.exitCode() == INVALID_INPUT) {
        write(facts(result, 0, false, List.of(failed.error())) + "\n");
      }
    }

    private static String facts(
        ItemResult result, double seconds, boolean isCut, List<String> messages) {
      return write(json -> {
        json.writeStartArray();
        json.writeString(result.item().input());
        json.writeNumber(seconds);
        json.writeNumber(result.exitCode());
        json.writeBoolean(isCut);
        messages.forEach(json::writeString);
        json.writeEndArray();
      });
    }

    private void write(String text) {
      try {
        Path folder = Files.createDirectories(file.toAbsolutePath().getParent());
        Path written = Files.createTempFile(folder, "new-", ".txt");
        Files.writeString(written, hash(text) + "\n" + text);
        Files.move(
            written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } catch (IOException e) {
        // The result is in the results of the sweep; only the next sweep takes longer.
      }
    }

    private static String write(Consumer<JsonGenerator> content) {
      StringWriter out = new StringWriter();
      JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out);
      content.accept(json);
      json.flush();
      return out.toString();
    }

    private static String hash(String text) {
      MessageDigest digest = ContentHashes.newDigest();
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    }
  }
}
