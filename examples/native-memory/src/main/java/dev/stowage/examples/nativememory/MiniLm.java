package dev.stowage.examples.nativememory;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The files of the embedding model all-MiniLM-L6-v2, from the jar of langchain4j, and texts for it.
 *
 * @param model the ONNX file
 * @param tokenizer the file of the tokenizer, which cuts texts after 512 tokens
 */
record MiniLm(Path model, Path tokenizer) {

  /** The most bytes that ONNX Runtime allocates while it loads the model; it keeps nearly all. */
  static final long LOADING_BYTES = 48 << 20;

  /** The most bytes of a run: {@code SessionMemory.peakBytes()} for a text of 512 tokens. */
  static final long LARGEST_RUN_BYTES = 30 << 20;

  private static final long SHORT_RUN_BYTES = 2 << 20;
  private static final int SHORT_TEXT = 400;

  /** The limit of the allocator: the model, two of the largest runs, and a reserve of an eighth. */
  static final long LIMIT_BYTES = 128 << 20;

  private static final String NAME = "all-minilm-l6-v2";
  private static final String[] WORDS = {"memory", "of", "the", "service", "is", "a", "budget"};

  static MiniLm unpacked() throws IOException {
    Path folder = Files.createTempDirectory("minilm");
    MiniLm files = new MiniLm(folder.resolve(NAME + ".onnx"), folder.resolve("tokenizer.json"));
    files.model.toFile().deleteOnExit();
    files.tokenizer.toFile().deleteOnExit();
    folder.toFile().deleteOnExit();
    try (InputStream model = resource(NAME + ".onnx");
        InputStream tokenizer = resource(NAME + "-tokenizer.json")) {
      Files.copy(model, files.model);
      String json = new String(tokenizer.readAllBytes(), StandardCharsets.UTF_8);
      Files.writeString(
          files.tokenizer, json.replaceFirst("\"max_length\": 128", "\"max_length\": 512"));
    }
    return files;
  }

  private static InputStream resource(String name) throws IOException {
    InputStream resource = MiniLm.class.getResourceAsStream("/" + name);
    if (resource == null) {
      throw new IOException("the class path has no " + name);
    }
    return resource;
  }

  /** {@return a text of 4 to 32 words; of each 160, 16 in a row have 300 to 499 words} */
  static String mixedText(int number) {
    return number % 160 < 16 ? longText(number * 19) : words(4 + number % 29);
  }

  /** {@return a text of 300 to 499 words} */
  static String longText(int number) {
    return words(300 + number % 200);
  }

  /** {@return the most bytes of a run on a text, as measured} */
  static long runBytes(String text) {
    return text.length() <= SHORT_TEXT ? SHORT_RUN_BYTES : LARGEST_RUN_BYTES;
  }

  private static String words(int words) {
    StringBuilder text = new StringBuilder();
    for (int word = 0; word < words; word++) {
      text.append(WORDS[word % WORDS.length]).append(' ');
    }
    return text.toString();
  }
}
