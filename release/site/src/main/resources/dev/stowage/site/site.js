'use strict';

// The menu is open on wide windows.
const menu = document.querySelector('.menu');
const wide = window.matchMedia('(min-width: 801px)');
const openMenu = () => {
  menu.open = wide.matches;
};
openMenu();
wide.addEventListener('change', openMenu);

// The index is made at the first search, from the sections of search.js.
const root = document.body.dataset.root;
const words = document.getElementById('words');
const results = document.getElementById('results');
const LIMIT = 12;
let index;

function makeIndex() {
  return lunr(function () {
    this.ref('id');
    this.field('heading', {boost: 8});
    this.field('page', {boost: 4});
    this.field('text');
    // Options such as --node-limit are found as they are written, and by their words.
    this.tokenizer.separator = SEPARATOR;
    sections.forEach((section, id) => this.add({id, ...section}));
  });
}

const SEPARATOR = /[\s,.;:()[\]{}"'`|/=]+/;

// The words of a query, as in the index, without the hyphens of an option and without words such as "the".
function termsOf(text) {
  return text.toLowerCase().split(SEPARATOR)
    .map(term => term.replace(/^\W+|\W+$/g, ''))
    .filter(term => term.length > 1 && lunr.stopWordFilter(term));
}

// Sections with more of the words come first; among them, those in which the words weigh more. The help texts that have an
// option come before other sections.
function find(terms, options) {
  const stems = terms.map(term => lunr.stemmer(new lunr.Token(term)).toString());
  const found = index.query(query => {
    for (const term of terms) {
      query.term(term, {boost: 10});
      query.term(term, {boost: 3, wildcard: lunr.Query.wildcard.TRAILING, usePipeline: false});
      query.term(term, {boost: 1, wildcard: lunr.Query.wildcard.LEADING | lunr.Query.wildcard.TRAILING, usePipeline: false});
    }
  });
  for (const hit of found) {
    const words = Object.keys(hit.matchData.metadata);
    hit.count = terms.filter((term, i) => words.some(word => word.includes(term) || word === stems[i])).length;
    const section = sections[Number(hit.ref)];
    hit.count += section.page === 'Commands' && options.some(option => section.text.includes(option)) ? 0.5 : 0;
  }
  return found.sort((a, b) => b.count - a.count || b.score - a.score);
}

// The part of a text with the most words of the query.
function excerpt(text, terms) {
  const lower = text.toLowerCase();
  let at = 0;
  let most = 0;
  for (const term of terms) {
    for (let i = lower.indexOf(term); i >= 0; i = lower.indexOf(term, i + 1)) {
      const start = Math.max(0, i - 60);
      const part = lower.slice(start, start + 180);
      const count = terms.filter(other => part.includes(other)).length;
      if (count > most) {
        most = count;
        at = start;
      }
    }
  }
  return (at > 0 ? '… ' : '') + text.slice(at, at + 180) + (text.length > at + 180 ? ' …' : '');
}

// Appends a text with the words of the query marked.
function appendMarked(element, text, terms) {
  const pattern = terms.map(term => term.replace(/[^\w]/g, '\\$&')).join('|');
  for (const part of pattern ? text.split(new RegExp('(' + pattern + ')', 'i')) : [text]) {
    if (terms.includes(part.toLowerCase())) {
      const mark = document.createElement('mark');
      mark.textContent = part;
      element.append(mark);
    } else {
      element.append(part);
    }
  }
}

function show() {
  const terms = termsOf(words.value);
  results.replaceChildren();
  results.hidden = terms.length === 0;
  if (results.hidden) {
    return;
  }
  index ??= makeIndex();
  const options = words.value.toLowerCase().match(/--[a-z-]+/g) ?? [];
  const found = find(terms, options).slice(0, LIMIT);
  if (found.length === 0) {
    results.textContent = 'Nothing contains these words.';
  }
  for (const hit of found) {
    const section = sections[Number(hit.ref)];
    const link = document.createElement('a');
    link.href = root + section.href;
    link.textContent = section.heading === section.page ? section.page : section.page + ' › ' + section.heading;
    const line = document.createElement('p');
    appendMarked(line, excerpt(section.text, terms), terms);
    results.append(link, line);
  }
}

words.addEventListener('input', show);
document.getElementById('search').addEventListener('submit', event => {
  event.preventDefault();
  show();
});
document.addEventListener('keydown', event => {
  if (event.key === 'Escape') {
    words.value = '';
    show();
  }
  if (event.key === '/' && document.activeElement !== words) {
    event.preventDefault();
    words.focus();
  }
});
