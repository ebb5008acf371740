package dev.stowage.dist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report with a server in place of the database. */
final class KnownVulnerabilitiesTest {

  private static final Set<String> LIBRARIES =
      new TreeSet<>(Set.of("pkg:maven/a/b@1", "pkg:maven/c/d@2"));

  @TempDir private Path root;

  private final AtomicReference<String> asked = new AtomicReference<>("");

  private String report(int status, String answer) throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/query",
        exchange -> {
          asked.set(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
          byte[] body = answer.getBytes(UTF_8);
          exchange.sendResponseHeaders(status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    try {
      URI query = URI.create("http://localhost:" + server.getAddress().getPort() + "/query");
      return KnownVulnerabilities.report(LIBRARIES, query).replace(query.toString(), "QUERY");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void report_vulnerabilities_namesLibraryAndLink() throws Exception {
    String report =
        report(
            200,
            """
            {"results":[{},{"vulns":[{"id":"GHSA-1","modified":"x"},{"id":"GHSA-2"}]}]}
            """);

    assertThat(asked.get())
        .isEqualTo(
            """
            {"queries":[{"package":{"purl":"pkg:maven/a/b@1"}},{"package":{"purl":"pkg:maven/c/d@2"}}]}\
            """
                .strip());
    assertThat(report.lines())
        .containsExactly(
            "Known vulnerabilities of 2 libraries: 2, by QUERY",
            "  pkg:maven/c/d@2  https://osv.dev/vulnerability/GHSA-1",
            "  pkg:maven/c/d@2  https://osv.dev/vulnerability/GHSA-2");
  }

  @Test
  void report_noVulnerabilities_saysZero() throws Exception {
    assertThat(report(200, "{\"results\":[{},{}]}").strip())
        .isEqualTo("Known vulnerabilities of 2 libraries: 0, by QUERY");
  }

  @Test
  void report_otherAnswers_saysNotChecked() throws Exception {
    assertThat(report(200, "{\"results\":[{}]}").strip())
        .isEqualTo(
            "Known vulnerabilities of 2 libraries: not checked, QUERY answered for 1 of them");
    assertThat(report(404, "").strip())
        .isEqualTo(
            "Known vulnerabilities of 2 libraries: not checked, QUERY was not reached (status 404)");
    assertThat(report(200, "<html>"))
        .startsWith("Known vulnerabilities of 2 libraries: not checked, QUERY was not reached (");
  }

  @Test
  void report_noServer_saysNotReached() throws Exception {
    assertThat(KnownVulnerabilities.report(LIBRARIES, URI.create("http://localhost:1/query")))
        .startsWith(
            "Known vulnerabilities of 2 libraries: not checked, http://localhost:1/query was not reached (");
  }

  @Test
  void libraries_ofAllModules_areThoseOfOthers() throws IOException {
    for (String module : new String[] {"x", "y"}) {
      Files.createDirectories(root.resolve(module).resolve("target"));
      Files.writeString(
          root.resolve(module).resolve("target/bom.json"),
          """
          {"metadata": {"component": {"purl": "pkg:maven/dev.stowage/stowage-x@1?type=jar"}},
           "components": [{"name": "a", "purl": "pkg:maven/a/b@1?type=jar"}]}
          """);
    }

    assertThat(KnownVulnerabilities.libraries(root)).containsExactly("pkg:maven/a/b@1");
  }
}
