package dev.stowage.examples.nativememory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.GuideProgram;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The service of docs/native-memory.md, which answers the requests that the guide shows. */
@Tag("full")
class NativeMemoryGuideTest {

  private static final Path ROOT = Path.of(System.getProperty("stowage.root"));
  private static final Path GUIDE = ROOT.resolve("docs/native-memory.md");

  /** A request and its answer: the body, and the status in a line of its own. */
  private static final String REQUEST =
      "(\\$ curl -w '%%\\{http_code}\\\\n' 'localhost:8080(%s\\S+)'\n)([^`$]*)";

  @Test
  void requests_ofTheBudget_areAnsweredAsShown(@TempDir Path folder) throws Exception {
    checkAnswers("/resize", 3, GuideProgram.of("docs/native-memory.md"), folder);
  }

  @Test
  void requests_ofOnnxRuntime_areAnsweredAsShown(@TempDir Path folder) throws Exception {
    checkAnswers(
        "/classify", 2, GuideProgram.of("docs/native-memory.md", "## ONNX Runtime"), folder);
  }

  private static void checkAnswers(String path, int requests, GuideProgram program, Path folder)
      throws Exception {
    int port = freePort();
    program.run(
        folder,
        "8080",
        Integer.toString(port),
        "\"tiny_cnn.onnx\"",
        "\"" + ROOT.resolve("examples/tiny_cnn.onnx") + "\"");
    Pattern shown = Pattern.compile(REQUEST.formatted(path));
    String answered =
        shown
            .matcher(Files.readString(GUIDE))
            .replaceAll(request ->
                Matcher.quoteReplacement(request.group(1) + answer(port, request.group(2))));
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(GUIDE, answered);
    }
    assertThat(Files.readString(GUIDE)).isEqualTo(answered);
    assertThat(shown.matcher(answered).results()).hasSize(requests);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static String answer(int port, String path) {
    URI address = URI.create("http://localhost:" + port + path);
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> response =
          client.send(
              HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
      return response.body() + response.statusCode() + "\n";
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
