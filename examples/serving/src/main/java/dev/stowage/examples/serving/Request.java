package dev.stowage.examples.serving;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A request to a language model.
 *
 * @param arrivalSeconds the time since the first request
 * @param contextTokens the tokens of its prompt
 * @param generatedTokens the tokens of the answer
 */
record Request(double arrivalSeconds, int contextTokens, int generatedTokens) {

  /**
   * {@return the requests of a trace}
   *
   * @param file CSV with a header and the columns of Azure's traces: time, tokens of the prompt,
   *     tokens of the answer; sorted by time
   * @throws IOException if the file cannot be read, or a line is not a request
   */
  static List<Request> read(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    List<Request> requests = new ArrayList<>();
    for (int i = 1; i < lines.size(); i++) {
      String[] fields = lines.get(i).split(",", -1);
      try {
        LocalDateTime time = LocalDateTime.parse(fields[0].replace(' ', 'T'));
        LocalDateTime start = LocalDateTime.parse(lines.get(1).split(",", -1)[0].replace(' ', 'T'));
        requests.add(
            new Request(
                Duration.between(start, time).toNanos() / 1e9,
                Integer.parseInt(fields[1]),
                Integer.parseInt(fields[2])));
      } catch (RuntimeException e) {
        throw new IOException(
            String.format(
                Locale.ROOT,
                "%s, line %d: expected TIME,CONTEXT_TOKENS,GENERATED_TOKENS: %s",
                file,
                i + 1,
                lines.get(i)),
            e);
      }
    }
    return requests;
  }
}
