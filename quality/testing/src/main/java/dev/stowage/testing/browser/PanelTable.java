package dev.stowage.testing.browser;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The table of the panel that a page shows. */
public final class PanelTable {

  private final Browser browser;

  public PanelTable(Browser browser) {
    this.browser = browser;
  }

  /** Shows a panel. */
  public void open(String panel) {
    browser.run("document.getElementById('tab-' + arguments[0]).click()", panel);
  }

  /** {@return the full texts of the cells of each row} */
  public List<List<String>> rows() {
    JsonNode rows =
        new JsonMapper()
            .readTree(
                browser.run(
                    """
                    return JSON.stringify([...document.querySelectorAll('#panel tbody tr')].map((row) =>
                        [...row.cells].map((cell) => cell.title || cell.textContent)));
                    """));
    List<List<String>> texts = new ArrayList<>();
    for (JsonNode row : rows) {
      List<String> cells = new ArrayList<>();
      row.forEach(cell -> cells.add(cell.stringValue()));
      texts.add(cells);
    }
    return texts;
  }

  /** {@return the full texts of a column} */
  public List<String> column(int index) {
    return rows().stream().map(row -> row.get(index)).toList();
  }

  /** {@return the rows with a CSS selector, by their first cells} */
  public List<String> marked(String selector) {
    return List.of(
        browser
            .run(
                """
                return [...document.querySelectorAll('#panel tbody tr' + arguments[0])].map((row) =>
                    row.cells[0].textContent).join('\\n');
                """,
                selector)
            .split("\n", -1));
  }
}
