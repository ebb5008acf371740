package dev.stowage.dist;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Report of the known vulnerabilities of the libraries in the bills of materials, by the database
 * OSV. The report says so if the database is not reached; the build then goes on.
 */
public final class KnownVulnerabilities {

  private static final JsonFactory JSON = new JsonFactory();
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private KnownVulnerabilities() {}

  /**
   * Writes the report and prints it.
   *
   * @param args the root of the project, with the bills of materials of its modules in {@code
   *     target/bom.json}; the address of the query; the file of the report
   * @throws IOException if a file cannot be read or written
   * @throws InterruptedException if the thread is interrupted
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    String report = report(libraries(Path.of(args[0])), URI.create(args[1]));
    Files.writeString(Path.of(args[2]), report);
    System.out.print(report);
  }

  /** {@return the package URLs of all libraries, without Stowage's own} */
  static Set<String> libraries(Path root) throws IOException {
    Set<String> libraries = new TreeSet<>();
    try (Stream<Path> folders = Files.walk(root, 2)) {
      for (Path bom :
          folders.map(folder -> folder.resolve("target/bom.json")).filter(Files::exists).toList()) {
        try (JsonParser parser =
            JSON.createParser(ObjectReadContext.empty(), Files.readAllBytes(bom))) {
          while (parser.nextToken() != null) {
            if (parser.currentToken() == JsonToken.VALUE_STRING
                && "purl".equals(parser.currentName())
                && !parser.getString().startsWith("pkg:maven/dev.stowage/")) {
              libraries.add(parser.getString().replaceFirst("\\?.*", ""));
            }
          }
        }
      }
    }
    return libraries;
  }

  /** {@return the report: a line for each vulnerability, or the reason why there is none} */
  static String report(Set<String> libraries, URI query) throws InterruptedException {
    String body =
        libraries.stream()
            .map(library -> "{\"package\":{\"purl\":\"" + library + "\"}}")
            .collect(Collectors.joining(",", "{\"queries\":[", "]}"));
    HttpRequest request =
        HttpRequest.newBuilder(query)
            .timeout(TIMEOUT)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    try (HttpClient client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build()) {
      HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() != 200) {
        return notReached(libraries, query, "status " + response.statusCode());
      }
      return found(List.copyOf(libraries), vulnerabilities(response.body()), query);
    } catch (IOException | JacksonException e) {
      return notReached(libraries, query, e.toString());
    }
  }

  private static String notReached(Set<String> libraries, URI query, String reason) {
    return String.format(
        Locale.ROOT,
        "Known vulnerabilities of %d libraries: not checked, %s was not reached (%s)%n",
        libraries.size(),
        query,
        reason);
  }

  private static String found(List<String> libraries, List<List<String>> found, URI query) {
    if (found.size() != libraries.size()) {
      return String.format(
          Locale.ROOT,
          "Known vulnerabilities of %d libraries: not checked, %s answered for %d of them%n",
          libraries.size(),
          query,
          found.size());
    }
    StringBuilder report = new StringBuilder();
    int count = 0;
    for (int i = 0; i < libraries.size(); i++) {
      for (String id : found.get(i)) {
        report.append(
            String.format(
                Locale.ROOT, "  %s  https://osv.dev/vulnerability/%s%n", libraries.get(i), id));
        count++;
      }
    }
    return String.format(
            Locale.ROOT,
            "Known vulnerabilities of %d libraries: %d, by %s%n",
            libraries.size(),
            count,
            query)
        + report;
  }

  /** {@return the identifiers of the vulnerabilities of each query} */
  private static List<List<String>> vulnerabilities(String response) {
    List<List<String>> results = new ArrayList<>();
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), response)) {
      // { "results": [ { "vulns": [ { "id": ... } ] }, {} ] }
      int depth = 0;
      while (parser.nextToken() != null) {
        JsonToken token = parser.currentToken();
        if (token == JsonToken.START_OBJECT) {
          depth++;
          if (depth == 2) {
            results.add(new ArrayList<>());
          }
        } else if (token == JsonToken.END_OBJECT) {
          depth--;
        } else if (depth == 3
            && token == JsonToken.VALUE_STRING
            && "id".equals(parser.currentName())) {
          results.getLast().add(parser.getString());
        }
      }
    }
    return results;
  }
}
