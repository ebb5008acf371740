package dev.stowage.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JavadocSectionsTest {

  @TempDir private Path folder;

  @Test
  void of_pagesOfTypes_namesTypesAndMembers() throws IOException {
    Files.writeString(folder.resolve("index.html"), "<body class=\"module-index-page\"></body>");
    Path page = folder.resolve("Pool.html");
    Files.writeString(
        page,
        """
        <body class="class-declaration-page"><section class="class-description">
        <div class="horizontal-scroll"><div class="block">A pool.</div></div></section>
        <section class="detail" id="wait(java.time.Duration,int)"><h3>wait</h3>
        <div class="block">Waits.</div></section>
        <section class="detail" id="NONE"><h3>NONE</h3></section></body>
        """);

    assertThat(JavadocSections.of(folder))
        .containsExactly(
            new JavadocSections.Section("Pool", Path.of("Pool.html"), "", "A pool."),
            new JavadocSections.Section(
                "Pool.wait(Duration, int)",
                Path.of("Pool.html"),
                "wait(java.time.Duration,int)",
                "Waits."),
            new JavadocSections.Section("Pool.NONE", Path.of("Pool.html"), "NONE", ""));
  }
}
