package dev.stowage.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinkCheckTest {

  @TempDir private Path root;

  private LinkCheck.Result check(String body) throws IOException {
    Files.writeString(root.resolve("index.html"), "<h1 id=\"top\">Top</h1>" + body);
    Files.createDirectories(root.resolve("docs"));
    Files.writeString(root.resolve("docs/index.html"), "<h2 id=\"a-b\">A</h2><a name=\"old\"></a>");
    return LinkCheck.of(root);
  }

  @Test
  void of_linksWithTargets_findsNothing() throws IOException {
    LinkCheck.Result result =
        check(
            "<a href=\"#top\">1</a><a href=\"docs\">2</a><a href=\"docs/index.html#a-b\">3</a>"
                + "<a href=\"docs/#old\">4</a><a href=\"https://example.com/none\">5</a>");

    assertThat(result).isEqualTo(new LinkCheck.Result(4, List.of()));
  }

  @Test
  void of_brokenLinks_namesPageLinkAndReason() throws IOException {
    LinkCheck.Result result =
        check(
            "<a href=\"#bottom\">1</a><a href=\"docs/none.html\">2</a>"
                + "<a href=\"docs/index.html#c\">3</a><img src=\"../x.png\">");

    assertThat(result.broken())
        .containsExactlyInAnyOrder(
            "index.html: #bottom: the page has no such anchor",
            "index.html: docs/none.html: there is no such file",
            "index.html: docs/index.html#c: the page has no such anchor",
            "index.html: ../x.png: leaves the site");
  }
}
