package lvms.operator.page;

/** The style sheet, which is in the page: light and dark, wide and narrow. */
final class Style {
    /** Contrasts of text are 7:1 or more, of lines and bars 3:1 or more. */
    static final String TEXT =
            """
            :root{color-scheme:light dark;--back:#fff;--card:#f4f5f7;--ink:#1a1c20;--soft:#4a4f57;
            --line:#8a9099;--bad:#a4161a;--warn:#7a4b00;--good:#0b5f3c;--link:#0b4fa0}
            @media (prefers-color-scheme:dark){:root{--back:#14161a;--card:#1f2228;--ink:#eceef1;
            --soft:#b9bfc8;--line:#747b86;--bad:#ff9d99;--warn:#ffc566;--good:#6fd6a4;--link:#8fc1ff}}
            *{box-sizing:border-box}
            body{margin:0 auto;padding:1rem;max-width:75rem;background:var(--back);color:var(--ink);
            font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
            a{color:var(--link)}
            h1{font-size:1.6rem;margin:.2em 0}
            h2{font-size:1.3rem;margin:2rem 0 .5rem;border-bottom:1px solid var(--line)}
            h3{font-size:1.1rem;margin:1.5rem 0 .5rem}
            nav ul{display:flex;flex-wrap:wrap;gap:.3rem 1.2rem;padding:0;list-style:none}
            .scroll{overflow-x:auto;max-width:100%}
            table{border-collapse:collapse;font-size:.9rem;min-width:100%}
            caption{text-align:left;color:var(--soft);padding:.2rem 0}
            th,td{text-align:left;vertical-align:top;padding:.3rem .8rem .3rem 0;
            border-bottom:1px solid var(--line);overflow-wrap:normal;max-width:32rem;
            font-variant-numeric:tabular-nums}
            th{font-weight:600}
            thead th{color:var(--soft);white-space:nowrap}
            tr>:first-child{position:sticky;left:0;background:var(--back)}
            figure tr>:first-child{background:var(--card)}
            h3+.scroll caption{position:absolute;clip-path:inset(50%)}
            figure{margin:1rem 0;padding:.7rem .8rem;background:var(--card);border-radius:.4rem}
            figure p{margin:.4rem 0 .1rem;font-size:.9rem}
            .missing{outline:2px dashed var(--bad)}
            .pools{display:grid;gap:0 1rem;\
            grid-template-columns:repeat(auto-fill,minmax(min(100%,20rem),1fr))}
            svg{display:block;width:100%}
            .bar{height:1.8rem;margin:.4rem 0;border:1px solid var(--line);background:var(--back)}
            .fill{height:.9rem}
            .bar rect{stroke:var(--soft);stroke-width:.7px;vector-effect:non-scaling-stroke}
            .bar .free{fill:var(--back)}
            .missing .bar rect{opacity:.55}
            .good{fill:var(--good)}.warn{fill:var(--warn)}.bad{fill:var(--bad)}
            .history{height:5rem;margin:.4rem 0;border:1px solid var(--line)}
            .line{fill:none;stroke:var(--ink);stroke-width:2px;vector-effect:non-scaling-stroke}
            .line.metadata{stroke:var(--link);stroke-dasharray:6 4}
            .swatch{display:inline-block;width:.9em;height:.9em;margin-right:.5em;
            border:1px solid var(--line);vertical-align:-.1em}
            summary{cursor:pointer;font-size:.9rem;padding:.2rem 0}
            .gaps{border-left:4px solid var(--warn);padding:.1rem 1rem;background:var(--card)}
            .gaps h2{margin:.5rem 0;border:0}
            .finding{border-left:4px solid var(--line);padding:.1rem .8rem;margin:.8rem 0;
            background:var(--card)}
            .finding p{margin:.4rem 0}
            .error{border-color:var(--bad)}.error b{color:var(--bad)}
            .warning{border-color:var(--warn)}.warning b{color:var(--warn)}
            .none,.soft{color:var(--soft)}
            """;

    private Style() {}
}
