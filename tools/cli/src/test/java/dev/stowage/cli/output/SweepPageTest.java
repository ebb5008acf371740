package dev.stowage.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.cli.CommandRun;
import dev.stowage.pages.SweepPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SweepPageTest {

  @TempDir private Path folder;

  @Test
  void read_partsOfAPage_areInTheirOrder() throws IOException {
    Path content =
        Files.write(
            folder.resolve("page.jsonl"),
            List.of(
                "[\"conclusion\",\"b 4096\",\"a needs the most memory.\",\"Complete.\",\"stowage plan a --explain\"]",
                "[\"fact\",\"command\",\"plan\"]",
                "[\"heading\",\"Sweep of <plan>\"]",
                "[\"figure\",\"Items\",\"2\"]",
                "[\"figure\",\"Failed\",\"1\"]",
                "[\"chart\",\"items\",\"a\",\"b\"]",
                "[\"curve\",\"bytes\",\"load\",\"4096\",\"1\"]",
                "[\"table\",\"Items\",\"Item\",\"#Bytes\",\"#Over bound\",\"#Seconds\"]",
                "[\"row\",\"t a\",\"b 4096\",\"p 0.5\",\"n 1.250\"]",
                "[\"row\",\"t b\",\"\",\"\",\"\"]"));
    Path page = folder.resolve("report.html");

    CommandRun run = CommandRun.of("sweep-page", content, "--output", page);

    assertThat(run).isEqualTo(new CommandRun(0, "", ""));
    assertThat(page)
        .content()
        .contains(
            "<p class=\"figure\">4.000 KiB</p>",
            "<p class=\"sentence\">a needs the most memory.</p>",
            "<p class=\"confidence\">Complete.</p>",
            "<pre class=\"paste\">stowage plan a --explain</pre>",
            "<h2>Sweep of &lt;plan&gt;</h2>",
            "<dt>Items</dt><dd>2</dd>",
            "<dt>Failed</dt><dd>1</dd>",
            "data-value=\"4096\"",
            "4.000 KiB",
            "50.0 %",
            "data-value=\"1.250\"");
  }

  @Test
  void read_unknownPart_namesTheLine() throws IOException {
    Path content = Files.write(folder.resolve("page.jsonl"), List.of("[\"heading\"]", "[5]"));

    assertThatThrownBy(() -> SweepPage.read(content.toString()))
        .hasMessage(content + ":1: is not a part of a page");
  }
}
