# fish completion for gwplan
function __gwplan_candidates
    gwplan __complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null
end
complete -c gwplan -n 'test (count (__gwplan_candidates)) -gt 0' -f -a '(__gwplan_candidates)'
complete -c gwplan -n 'test (count (__gwplan_candidates)) -eq 0' -F
