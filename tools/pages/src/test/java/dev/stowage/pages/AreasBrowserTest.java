package dev.stowage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.pages.StackedAreas.Area;
import dev.stowage.pages.text.RunFacts;
import dev.stowage.testing.browser.Browser;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;

/** A chart of areas above each other, in a browser. */
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class AreasBrowserTest {

  @TempDir Path folder;

  @RegisterExtension final Browser browser = new Browser();

  private void open() throws IOException {
    FiguresPage page = new FiguresPage("Areas", "areas", "Sampled", RunFacts.none());
    page.addAreas(
        new StackedAreas(
            "minutes",
            "resident",
            60_000,
            List.of(0L, 60_000L, 240_000L),
            List.of("first", "second", "last"),
            List.of(
                new Area("low", List.of(4096L, 4096L, 4096L)),
                new Area("high", List.of(0L, 4096L, 12_288L)))));
    Path file = folder.resolve("areas.html");
    try (Writer out = Files.newBufferedWriter(file)) {
      page.write(out);
    }
    browser.open(file, "", "document.querySelector('.chart canvas')?.width > 1");
  }

  /** {@return the colour of a point of the chart, by shares of its width and height} */
  private String colour(double x, double y) {
    return browser.run(
        """
        const canvas = document.querySelector('.chart canvas');
        const [x, y] = arguments;
        const [r, g, b] = canvas.getContext('2d')
            .getImageData(Math.round(canvas.width * x), Math.round(canvas.height * y), 1, 1).data;
        return `rgb(${r} ${g} ${b})`;
        """,
        x,
        y);
  }

  private String style(String name) {
    return browser.run(
        """
        const area = document.body.appendChild(document.createElement('i'));
        area.style.color = `var(--${arguments[0]})`;
        const { color } = getComputedStyle(area);
        area.remove();
        return color.replaceAll(',', '');
        """,
        name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"light", "dark"})
  void areas_anyColours_areAboveEachOther(String colourScheme) throws IOException {
    browser.prefer(colourScheme);
    open();

    assertThat(colour(0.9, 0.78)).isEqualTo(style("group1"));
    assertThat(colour(0.9, 0.4)).isEqualTo(style("group0"));
    assertThat(colour(0.15, 0.3)).isNotEqualTo(style("group0"));
    browser.run(Browser.axe());
    assertThat(
            browser.runAsync(
                """
                const { violations } = await axe.run(document, { resultTypes: ["violations"] });
                return violations.map(({ id }) => id).join(" ");
                """))
        .isEmpty();
  }

  @Test
  void areas_keys_showTheSamplesFromTopToBottom() throws IOException {
    open();
    browser.run("document.querySelector('.chart').focus()");
    browser.pressActive(Keys.ARROW_RIGHT);
    browser.pressActive(Keys.ARROW_RIGHT);

    assertThat(browser.run("return document.getElementById('hover').innerText"))
        .isEqualTo(
            "second\nresident\n8,192 (8.000 KiB)\nhigh\n4,096 (4.000 KiB)\nlow\n4,096 (4.000 KiB)");
    assertThat(browser.run("return document.querySelector('.key').innerText"))
        .isEqualTo("high low");
    browser.assertNothingWentWrong();
  }
}
