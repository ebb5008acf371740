package dev.stowage.cli.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * Texts of each grammar with their program, verdict and sentence.
 *
 * <p>The cases are those of reports of users, with other numbers, line breaks and prefixes.
 */
class FailureTextsTest {

  private static final Path TEXTS =
      Path.of("tools/cli/src/test/resources/dev/stowage/cli/failure/texts.txt");

  private static final String START = "=== ";
  private static final String ANSWER = "--- ";

  @Test
  void explain_texts_haveTheVerdictAndTheSentence() throws IOException {
    String expected = Files.readString(TEXTS);
    StringBuilder printed = new StringBuilder();
    for (String block : blocks(expected)) {
      String text = block.split("(?m)^" + ANSWER, 2)[0];
      String content = text.substring(text.indexOf('\n') + 1);
      printed.append(text).append(ANSWER).append(answer(content)).append('\n');
    }
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(TEXTS, printed);
    }
    assertThat(printed.toString()).isEqualTo(Files.readString(TEXTS));
  }

  private static List<String> blocks(String file) {
    return List.of(file.split("(?m)^(?=" + START + ")"));
  }

  /** {@return the texts, each without its title} */
  static List<String> texts() {
    List<String> texts = new ArrayList<>();
    try {
      for (String block : blocks(Files.readString(TEXTS))) {
        String text = block.split("(?m)^" + ANSWER, 2)[0];
        texts.add(text.substring(text.indexOf('\n') + 1));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return texts;
  }

  private static String answer(String text) throws IOException {
    FailureReader.Found found =
        FailureReader.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    if (found.last().isEmpty()) {
      return "no failure";
    }
    ExplainedFailure explained =
        ExplainedFailure.of("text", found.last().get(), found.count(), false);
    return String.format(
        Locale.ROOT,
        "%s, %s, %d%n%s",
        explained.failure().program(),
        explained.verdict().word(),
        explained.count(),
        explained.sentence());
  }
}
