package dev.stowage.fleet.worker;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** SHA-256 of the contents of files. */
final class ContentHashes {

  /** The number of files whose hashes are remembered, since a model has many shapes. */
  private static final int KNOWN = 256;

  private static final int BUFFER_BYTES = 1 << 16;

  private static final Pattern DUMP =
      Pattern.compile("(.*)-buffer-assignment\\.txt(?:\\.gz)?", Pattern.CASE_INSENSITIVE);

  /** The ends of the other files of a dump of XLA that are read. */
  private static final List<String> DUMP_ENDS =
      List.of("-live-range.txt", "-live-range.txt.gz", ".txt", ".txt.gz");

  private final Path base;
  private final Map<String, String> known =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
          return size() > KNOWN;
        }
      };

  /** Creates hashes of files whose relative paths begin at a folder; empty for the current one. */
  ContentHashes(String folder) {
    base = Path.of(folder);
  }

  static MessageDigest newDigest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }

  /** Adds a text, whose end is part of the hash. */
  static void add(MessageDigest digest, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
    digest.update(bytes);
  }

  /**
   * {@return the hash of a model and of the files with its weights; of a dump of XLA, the hash of
   * all files of the program}
   *
   * @param file the path
   * @throws IOException if the model cannot be read
   */
  String ofModel(Path file) throws IOException {
    String hash = ofFile(file);
    Matcher dump = DUMP.matcher(String.valueOf(file.getFileName()));
    if (dump.matches()) {
      MessageDigest digest = newDigest();
      add(digest, hash);
      for (String end : DUMP_ENDS) {
        add(digest, ofFileIn(file.resolveSibling(dump.group(1) + end).toString()));
      }
      return HexFormat.of().formatHex(digest.digest());
    }
    if (!file.toString().toLowerCase(Locale.ROOT).endsWith(".onnx")) {
      return hash;
    }
    MessageDigest digest = newDigest();
    add(digest, hash);
    for (String location : ExternalLocations.of(file)) {
      add(digest, location);
      add(digest, ofFileIn(file.resolveSibling(location).toString()));
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /** {@return the hash of the file that an argument names; empty if it names none} */
  String ofFileIn(String argument) {
    String path = argument.startsWith("--") ? argument.replaceFirst("^--[^=]*=?", "") : argument;
    try {
      Path file = base.resolve(path);
      return !path.isEmpty() && Files.isRegularFile(file) ? ofFile(file) : "";
    } catch (IOException | InvalidPathException e) {
      return "";
    }
  }

  /** {@return the hash of the jars of Stowage in a folder} */
  String ofJars(String folder) {
    NavigableSet<Path> jars = new TreeSet<>();
    try (Stream<Path> files = Files.list(Path.of(folder))) {
      files
          .filter(file -> String.valueOf(file.getFileName()).matches("stowage-.*\\.jar"))
          .forEach(jars::add);
      MessageDigest digest = newDigest();
      for (Path jar : jars) {
        add(digest, String.valueOf(jar.getFileName()));
        add(digest, ofFile(jar));
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (IOException e) {
      return "";
    }
  }

  private String ofFile(Path file) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
    String state =
        List.of(
                file,
                attributes.size(),
                attributes.lastModifiedTime(),
                String.valueOf(attributes.fileKey()))
            .toString();
    String hash = known.get(state);
    if (hash == null) {
      hash = read(file);
      known.put(state, hash);
    }
    return hash;
  }

  private static String read(Path file) throws IOException {
    MessageDigest digest = newDigest();
    byte[] buffer = new byte[BUFFER_BYTES];
    try (InputStream in = Files.newInputStream(file)) {
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        digest.update(buffer, 0, count);
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
